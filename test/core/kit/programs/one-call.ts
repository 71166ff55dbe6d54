import { createOutbound } from '../../../../core/kit/outbound.ts';

/** This program makes one call and prints how it ended; another process may stop the program in between. */
const { url, timeoutMs }: { url: string; timeoutMs: number } = JSON.parse(process.argv[2] ?? '');
await using outbound = createOutbound({ allow: ['127.0.0.1'] });
try {
  const { status, body } = await outbound.call(url, { method: 'POST', body: 'a=b', timeoutMs });
  process.stdout.write(`${status} ${body.length}\n`);
} catch (error) {
  process.stdout.write(`${error instanceof Error && 'code' in error ? error.code : error}\n`);
}
