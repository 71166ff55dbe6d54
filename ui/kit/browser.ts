/** Waits for this number of milliseconds. @throws the signal's reason when it is aborted first */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Resolves immediately if there is a network, otherwise as soon as there is one again. */
export function online(): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }));
}

/** Returns the URL of the service, with a slash at its end: pages have it as their `<base href>`. */
export function baseAddress(): string {
  return new URL('./', document.baseURI).href;
}

const POPUP = { width: 520, height: 720 };

/** Opens a window in the middle of the browser's own. Works only during a click. */
export function openPopup(url: string): Window | null {
  const left = Math.round(screenX + (outerWidth - POPUP.width) / 2);
  const top = Math.round(screenY + (outerHeight - POPUP.height) / 2);
  return open(url, 'svc-connect', `popup,width=${POPUP.width},height=${POPUP.height},left=${left},top=${Math.max(top, 0)}`);
}
