import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../app/main.ts', import.meta.url));

export interface ApplicationOptions {
  readonly serviceUrl: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly port: number;
}

export interface Application extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts the example application in its own process and waits until it listens.
 *
 * @throws Error with what the process has printed, if it ends before that
 */
export async function startApplication({ serviceUrl, apiKey, webhookSecret, port }: ApplicationOptions): Promise<Application> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, PORT: String(port), SVC_URL: serviceUrl, SVC_KEY: apiKey, SVC_WEBHOOK_SECRET: webhookSecret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  const keep = (text: string) => (errors += text);
  child.stderr.setEncoding('utf8').on('data', keep);
  const ended = once(child, 'close').then(() => 'ended' as const);
  const [first] = await Promise.race([once(child.stdout, 'data'), ended.then((end) => [end])]);
  if (first === 'ended') throw new Error(`the example application did not start:\n${errors}`);
  child.stderr.off('data', keep).pipe(process.stderr);
  return { url: `http://localhost:${port}`, [Symbol.asyncDispose]: () => endOf(child, ended) };
}

async function endOf(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill();
  await ended;
}
