import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDiskFolder } from './folders.ts';
import { freePort } from './free-port.ts';
import { projectFolder } from './source-files.ts';
import { until } from './until.ts';

/** Replaces a part of a configuration, which must occur. */
export type Change = readonly [from: string | RegExp, to: string];

/** A reverse proxy for which `deploy/` has a configuration. */
export interface ProxyProgram {
  readonly program: string;
  /** The file in `deploy/`. */
  readonly config: string;
  /** Replaces TLS and the public ports, for which a certificate and privileges would be needed. Each must occur. */
  readonly listen: (port: number) => readonly Change[];
  /** Replaces the address of the service by those of instances, as `host:port`. */
  readonly servers: (hosts: readonly string[]) => Change;
  /** Files of the program's folder, by name; the first is its configuration. */
  readonly files: (config: string, folder: string) => Readonly<Record<string, string>>;
  readonly args: (file: string) => readonly string[];
  /** The lines of the file that its commented ones replace where the service is below a path of the host. */
  readonly aboveBasePath: readonly string[];
}

/** The path of the host for which the configurations have commented lines. */
const BASE_PATH = '/svc';

export const PROXY_PROGRAMS: readonly ProxyProgram[] = [
  {
    program: 'haproxy',
    config: 'haproxy.cfg',
    listen: (port) => [
      [/ {2}bind :80\n {2}bind :443 ssl .*/, `  bind 127.0.0.1:${port}`],
      [/ {2}http-request redirect scheme https .*\n/, ''],
    ],
    servers: (hosts) => [
      '  server svc1 127.0.0.1:3003\n',
      hosts.map((host, index) => `  server svc${index + 1} ${host}\n`).join(''),
    ],
    files: (config) => ({ 'haproxy.cfg': config }),
    args: (file) => ['-db', '-f', file],
    aboveBasePath: ['  default_backend svc\n'],
  },
  {
    program: 'nginx',
    config: 'nginx.conf',
    listen: (port) => [
      [/server \{\n {2}listen 80;[^}]*\}\n/, ''],
      ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
      [/ {2}ssl_certificate.*\n {2}ssl_certificate_key.*\n/, ''],
    ],
    servers: (hosts) => ['server 127.0.0.1:3003 max_fails=0;', hosts.map((host) => `server ${host} max_fails=0;`).join(' ')],
    files: (config, folder) => ({
      'nginx.conf': `
        ${process.geteuid?.() === 0 ? 'user root;' : ''}
        daemon off; pid ${folder}/pid; error_log stderr;
        events {}
        http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; include ${folder}/site.conf; }`,
      'site.conf': config,
    }),
    args: (file) => ['-c', file],
    aboveBasePath: ['  location ~* ^/metrics {\n', '  location / {\n', '    proxy_pass http://svc;\n'],
  },
  {
    program: 'caddy',
    config: 'Caddyfile',
    listen: (port) => [['connect.example.com {', `http://127.0.0.1:${port} {`]],
    servers: (hosts) => [/127\.0\.0\.1:3003/g, hosts.join(' ')],
    files: (config) => ({ Caddyfile: `{\n\tadmin off\n}\n${config}` }),
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    aboveBasePath: [],
  },
];

export interface DeployedProxy extends AsyncDisposable {
  /** The public address of the service, with its base path if it has one. */
  readonly url: string;
  /** Returns what the program has printed so far. */
  readonly output: () => string;
}

interface DeployedProxyOptions {
  /** Further changes of the configuration. */
  readonly changes?: readonly Change[];
  /** Default: a free port. */
  readonly port?: number;
  /** Whether the service is below a path of the host, as the commented lines of the configuration say. Default: false. */
  readonly hasBasePath?: boolean;
}

/** Starts a reverse proxy with its configuration from `deploy/` in front of a service. @param urls those of all instances */
export async function startDeployedProxy(
  proxy: ProxyProgram,
  urls: readonly string[],
  { changes = [], port: chosen, hasBasePath = false }: DeployedProxyOptions = {},
): Promise<DeployedProxy> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryDiskFolder());
  const port = chosen ?? (await freePort());
  const path = hasBasePath ? belowBasePath(proxy) : [];
  const hosts = urls.map((url) => new URL(url).host);
  const deployed = readFileSync(join(projectFolder, 'deploy', proxy.config), 'utf8');
  const config = [...path, ...changes, ...proxy.listen(port), proxy.servers(hosts)].reduce(replaceOnce, deployed);
  const files = proxy.files(config, folder.path);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  const [main = ''] = Object.keys(files);
  const env = { PATH: process.env['PATH'], HOME: folder.path };
  const child = spawn(proxy.program, proxy.args(join(folder.path, main)), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  opened.defer(() => end(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const url = `http://127.0.0.1:${port}${hasBasePath ? BASE_PATH : ''}`;
  await until(`${proxy.program} is ready`, async () => {
    if (child.exitCode !== null) throw new Error(`${proxy.program} ended:\n${output}`);
    const response = await fetch(`${url}/ready`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 200;
  });
  const closing = opened.move();
  return { url, output: () => output, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** Returns the changes that put the service below a path of the host. A comment for people has a space after its `#`. */
function belowBasePath({ aboveBasePath }: ProxyProgram): readonly Change[] {
  return [...aboveBasePath.map((line) => [line, ''] as const), [/^([ \t]*)#(?=\S)/gm, '$1']];
}

function replaceOnce(text: string, [from, to]: Change): string {
  const replaced = text.replace(from, to);
  if (replaced === text) throw new Error(`the configuration does not contain ${from}`);
  return replaced;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
