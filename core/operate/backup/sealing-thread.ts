import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { encryptAge } from '../../kit/age-file.ts';

/** The program of the thread that `sealKeys` starts. */
const { keys, passphrase }: { readonly keys: string; readonly passphrase: string } = workerData;

const pieces: Uint8Array[] = [];
for await (const piece of encryptAge(Readable.from([Buffer.from(keys)]), passphrase)) pieces.push(piece);
parentPort?.postMessage(Buffer.concat(pieces).toString('base64'));
