/** Returns the version of the service that sent this document. */
export function pageVersion(): string | undefined {
  const settings: { readonly version?: string } = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');
  return settings.version;
}
