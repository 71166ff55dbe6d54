const GAP_PX = 4;
const EDGE_PX = 8;

/**
 * Keeps a popover at its button while it is open, even when its size changes, since not every browser has CSS anchor positioning.
 */
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

/** Places a popover below its button, or above it if there is no room below; in any case, within the window. */
function placeBelow(popover: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  popover.style.setProperty('--button', `${at.width}px`);
  const { offsetWidth: width, offsetHeight: height } = popover;
  const isBelow = at.bottom + GAP_PX + height <= innerHeight || at.top < height;
  const top = isBelow ? at.bottom + GAP_PX : at.top - GAP_PX - height;
  const start = at.left + width + EDGE_PX <= innerWidth ? at.left : at.right - width;
  // If it fits neither below nor above, it covers its button.
  popover.style.insetBlockStart = `${Math.max(EDGE_PX, Math.min(top, innerHeight - height - EDGE_PX))}px`;
  popover.style.insetInlineStart = `${Math.max(EDGE_PX, start)}px`;
}
