/** An element with these properties and children. Texts go in as texts, never as markup. */
export function element(name, properties = {}, ...children) {
  const { attributes = {}, ...own } = properties;
  const node = Object.assign(document.createElement(name), own);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...children);
  return node;
}
