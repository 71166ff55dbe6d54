/** Of the service, when it sent this page. */
export function pageVersion(): string | undefined {
  const settings: { readonly version?: string } = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');
  return settings.version;
}
