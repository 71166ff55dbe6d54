/** Returns whether the client of another product has opened the window, and the service is set up for such clients. */
export function isForClient(): boolean {
  const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');
  return settings.existing_clients === true && new URLSearchParams(location.search).has('apiURL');
}
