import * as z from 'zod';
import { headerName, text } from './parts.ts';

/** The provider's webhooks. */
export const webhook = z.strictObject({
  signature_header: headerName.optional().describe('header with the signature of a delivery'),
  connection_id_field: text.optional().describe('field of the body, or query parameter, with the connection ID'),
});
