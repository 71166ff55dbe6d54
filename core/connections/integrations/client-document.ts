/** The parts of the URL at which an integration describes itself as a client (draft-ietf-oauth-client-id-metadata-document). */
interface DocumentAddress {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly environmentUuid: string;
  readonly integrationKey: string;
}

export function clientDocumentUrl({ baseUrl, environmentUuid, integrationKey }: DocumentAddress): string {
  return `${baseUrl}/oauth/client-metadata/${environmentUuid}/${encodeURIComponent(integrationKey)}`;
}
