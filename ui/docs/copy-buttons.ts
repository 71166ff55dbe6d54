/** How long a button says that it has copied, in milliseconds. */
const SAID_FOR_MS = 2_000;

/** Adds a button to each block of code that copies it. Browsers allow this only over HTTPS, and at `localhost`. */
export function addCopyButtons(): void {
  const { clipboard } = navigator;
  if (clipboard === undefined) return;
  for (const block of document.querySelectorAll('pre')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(copyButton(clipboard, block.textContent ?? ''), block);
  }
}

function copyButton(clipboard: Clipboard, text: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaLive = 'polite';
  button.addEventListener('click', async () => {
    button.textContent = await clipboard.writeText(text.trimEnd()).then(
      () => 'Copied',
      () => 'Not copied',
    );
    setTimeout(() => {
      button.textContent = 'Copy';
    }, SAID_FOR_MS);
  });
  return button;
}
