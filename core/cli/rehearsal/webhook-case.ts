import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, type WebhookCase } from '#contract';
import { RehearsalFault } from './step.ts';

export const CASE_FILE = 'webhook-case.ts';

/**
 * Loads the webhook case of a folder.
 *
 * @returns undefined if it has none
 * @throws RehearsalFault if the file exports no case, and whatever importing it throws
 */
export async function readWebhookCase(directory: string): Promise<WebhookCase | undefined> {
  const file = join(directory, CASE_FILE);
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (!exists) return undefined;
  const loaded: unknown = await import(pathToFileURL(file).href);
  const sample = isObject(loaded) ? loaded['default'] : undefined;
  if (isObject(sample) && typeof sample['deliver'] === 'function' && Array.isArray(sample['types']))
    return sample as unknown as WebhookCase;
  throw new RehearsalFault(
    `${CASE_FILE} must export default a WebhookCase: {secret, connection, signatureHeaders, types, deliver}`,
    {
      file,
    },
  );
}
