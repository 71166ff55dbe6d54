const GAP_PX = 4;
const EDGE_PX = 8;

/** Keeps what is in the top layer at its button, as long as it is open: not every browser knows anchors. */
export function keepAt(popover: HTMLElement, button: HTMLElement): void {
  const closed = new AbortController();
  placeBelow(popover, button);
  addEventListener('resize', () => placeBelow(popover, button), { signal: closed.signal });
  popover.addEventListener('beforetoggle', () => closed.abort(), { once: true });
}

/** Under its button, within the window. */
function placeBelow(popover: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const isBelow = at.bottom + GAP_PX + height <= innerHeight || at.top < height;
  const top = isBelow ? at.bottom + GAP_PX : at.top - GAP_PX - height;
  const start = at.left + width + EDGE_PX <= innerWidth ? at.left : at.right - width;
  popover.style.insetBlockStart = `${Math.max(EDGE_PX, top)}px`;
  popover.style.insetInlineStart = `${Math.max(EDGE_PX, start)}px`;
}
