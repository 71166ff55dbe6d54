const GAP_PX = 4;
const EDGE_PX = 8;

/** Keeps what is in the top layer at its button, as long as it is open and whatever it shows: not every browser knows anchors. */
export function keepAt(popover: HTMLElement, button: HTMLElement): void {
  const closed = new AbortController();
  const place = () => placeBelow(popover, button);
  place();
  addEventListener('resize', place, { signal: closed.signal });
  const sized = new ResizeObserver(place);
  sized.observe(popover);
  closed.signal.addEventListener('abort', () => sized.disconnect());
  popover.addEventListener('beforetoggle', () => closed.abort(), { once: true });
}

/** Under its button, within the window. */
function placeBelow(popover: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const isBelow = at.bottom + GAP_PX + height <= innerHeight || at.top < height;
  const top = isBelow ? at.bottom + GAP_PX : at.top - GAP_PX - height;
  const start = at.left + width + EDGE_PX <= innerWidth ? at.left : at.right - width;
  // Where it fits neither below nor above, it lies over its button.
  popover.style.insetBlockStart = `${Math.max(EDGE_PX, Math.min(top, innerHeight - height - EDGE_PX))}px`;
  popover.style.insetInlineStart = `${Math.max(EDGE_PX, start)}px`;
}
