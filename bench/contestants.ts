import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDiskFolder } from '../test/support/folders.ts';
import { freePort } from '../test/support/free-port.ts';
import { CALL_HEADERS } from '../test/support/proxy-harness.ts';
import { endChild, Program } from './program.ts';
import { startOurService } from './service.ts';

/** A proxy that the benchmarks compare with others in front of the same upstream. */
export interface Contestant {
  readonly name: string;
  readonly port: number;
  /** The ID of the process whose processor time, together with that of its descendants, counts as the proxy's. */
  readonly pid: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const OURS = 'svc: key, look-up, credentials, proxy';
export const OURS_BARE = 'svc: edge and proxy, look-up in memory';
export const FASTIFY = '@fastify/http-proxy, bare';
export const ORIGINAL = 'http-proxy 1.18.1, bare';
const ORIGINAL_KEPT = 'http-proxy 1.18.1, keep-alive agent';
export const NGINX = 'nginx, bare';

const PATH = '/items?page=1';
const NGINX_PROGRAM = '/usr/sbin/nginx';

/** Starts every proxy that is installed on this machine; they are closed with the stack. */
export async function startContestants(stack: AsyncDisposableStack, upstream: string): Promise<Contestant[]> {
  const bare = async (name: string, program: string, ...args: readonly string[]) => {
    const { port, pid } = stack.use(await Program.start(program, [upstream, ...args]));
    return { name, port, pid, path: PATH, headers: CALL_HEADERS };
  };
  const contestants = [
    await bare(ORIGINAL, 'http-proxy-original'),
    await bare(ORIGINAL_KEPT, 'http-proxy-original', 'keep-alive'),
    await bare(FASTIFY, 'fastify-http-proxy'),
    { ...(await bare(OURS_BARE, 'edge')), path: `/proxy${PATH}` },
  ];
  const service = await startOurService(stack, upstream);
  if (service !== undefined) contestants.push({ name: OURS, ...service, path: `/proxy${PATH}` });
  if (existsSync(NGINX_PROGRAM))
    contestants.push({ name: NGINX, ...(await startNginx(stack, upstream)), path: PATH, headers: CALL_HEADERS });
  return contestants;
}

/** Starts nginx with one worker process, because each of the other proxies handles its requests in one process. */
async function startNginx(stack: AsyncDisposableStack, upstream: string): Promise<{ port: number; pid: number }> {
  const { path: directory } = stack.use(await temporaryDiskFolder());
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  await writeFile(file, nginxConfig({ directory, port, upstream: new URL(upstream).host }));
  const child = spawn(NGINX_PROGRAM, ['-p', directory, '-c', file, '-e', join(directory, 'error.log')], { stdio: 'inherit' });
  stack.defer(() => endChild(child));
  await once(child, 'spawn');
  return { port, pid: child.pid ?? 0 };
}

function nginxConfig({ directory, port, upstream }: { directory: string; port: number; upstream: string }): string {
  return `daemon off; worker_processes 1; pid ${directory}/pid;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${directory}; proxy_temp_path ${directory}; fastcgi_temp_path ${directory};
  uwsgi_temp_path ${directory}; scgi_temp_path ${directory};
  keepalive_requests 1000000;
  upstream api { server ${upstream}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://api; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`;
}
