/** Returns whether another product's client library opened the window and the service is configured for such clients. */
export function isForClient(): boolean {
  const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');
  return settings.existing_clients === true && new URLSearchParams(location.search).has('apiURL');
}
