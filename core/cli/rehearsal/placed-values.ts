/** Writes a value into an object at a dotted path; a part that is a number creates a list. */
export function placeValue(into: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const known = into[name];
  const inner: Record<string, unknown> = isObjectLike(known) ? known : /^\d+$/.test(rest[0] ?? '') ? listLike() : {};
  into[name] = inner;
  placeValue(inner, rest.join('.'), value);
}

function isObjectLike(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Creates a list, typed as an object, so that its items can be set by their index as fields are by their name. */
function listLike(): Record<string, unknown> {
  const list: unknown = [];
  return list as Record<string, unknown>;
}
