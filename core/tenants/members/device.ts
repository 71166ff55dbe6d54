import * as z from 'zod';
import type { KeyRing } from '../../kit/key-ring.ts';

export const DEVICE_SECONDS = 180 * 24 * 60 * 60;
const PLACE = { table: 'members', column: 'device', environmentId: 0, rowId: 0 } as const;

const device = z.strictObject({ memberId: z.int(), at: z.iso.datetime() });

/** A browser in which somebody has signed in before: strangers who try passwords elsewhere cannot lock it out. */
export type Device = z.infer<typeof device>;

/** Returns the encrypted value of the device's cookie. */
export function sealDevice(keys: KeyRing, memberId: number, now: Date): string {
  return keys.encrypt(JSON.stringify({ memberId, at: now.toISOString() }), PLACE).toString('base64url');
}

/** @returns undefined when this service did not create the value, or created it more than 180 days ago */
export function readDevice(keys: KeyRing, text: string | undefined, now: Date): Device | undefined {
  if (text === undefined) return undefined;
  try {
    const found = device.parse(JSON.parse(keys.decrypt(Buffer.from(text, 'base64url'), PLACE)));
    return now.getTime() - Date.parse(found.at) < DEVICE_SECONDS * 1_000 ? found : undefined;
  } catch {
    return undefined;
  }
}
