import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from './namespaces.ts';
import type { ServiceProcess } from './processes.ts';
import { projectFolder } from './source-files.ts';

/** What the Dockerfile says about a container's process. */
interface Image {
  readonly user: number;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

export function readDockerfile(): Image {
  const text = readFileSync(join(projectFolder, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  // The last stage is the one that runs.
  const lines = text.slice(text.lastIndexOf('\nFROM ')).split('\n');
  const argumentOf = (instruction: string) => {
    const line = lines.find((one) => one.startsWith(`${instruction} `));
    if (line === undefined) throw new Error(`the Dockerfile has no ${instruction}`);
    return line.slice(instruction.length).trim();
  };
  return {
    user: Number(argumentOf('USER').split(':')[0]),
    folder: argumentOf('WORKDIR'),
    env: Object.fromEntries(
      argumentOf('ENV')
        .split(/ +/)
        .map((pair) => pair.split(/=(.*)/, 2))
        .map(([name = '', value = '']) => [name, value.replace('$PATH', '')]),
    ),
    command: JSON.parse(argumentOf('CMD')),
    healthCheck: JSON.parse(argumentOf('HEALTHCHECK').replace(/^.*?CMD /, '')),
  };
}

interface Inside {
  /** Runs a command in the container, as `docker exec` does. @returns what it prints @throws when it fails */
  run(command: readonly string[]): string;
  signal(signal: NodeJS.Signals): void;
}

interface Container {
  /** Starts what the image starts, as the container's process 1. */
  readonly command: readonly string[];
  enter(service: ServiceProcess): Promise<Inside>;
}

/**
 * Describes a container without a container runtime: namespaces and a root folder with the system's programs, the release and the
 * volume. Only the volume and `/tmp` can be written to. The network is that of the machine.
 */
export function containerOf(image: Image, { release, dataDir }: { release: string; dataDir: string }): Container {
  const { user, folder } = image;
  const passwd = `svc:x:${user}:${user}::/data:/usr/sbin/nologin`;
  const environment = Object.entries({ ...image.env, PATH: image.env['PATH'] ?? '' }).map(([name, value]) => `${name}=${value}`);
  const script = `
    set -e
    bind() { mount --bind "$1" "$2" && mount -o remount,bind,"$3" "$2"; }
    root=${quote(dataDir)}.root
    mkdir -p "$root" && mount -t tmpfs tmpfs "$root" && cd "$root"
    mkdir usr etc proc dev tmp svc data
    ln -s usr/bin usr/lib usr/lib64 usr/sbin .
    echo ${quote(passwd)} > etc/passwd
    cp /etc/hosts etc/
    bind /usr usr ro
    bind ${quote(release)} svc ro
    bind ${quote(dataDir)} data rw
    mount --rbind /dev dev
    mount -t proc proc proc
    mount -t tmpfs -o mode=1777 tmpfs tmp
    mount -o remount,ro "$root"
    exec chroot --userspec=${user}:${user} . /usr/bin/env -i ${environment.map(quote).join(' ')} \\
      PORT="$PORT" SVC_BASE_URL="$SVC_BASE_URL" NODE_DEBUG_NATIVE="$NODE_DEBUG_NATIVE" \\
      sh -c 'cd ${folder} && exec "$@"' - ${image.command.map(quote).join(' ')}
  `;
  return {
    command: ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script],
    async enter({ pid, url }) {
      const process1 = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
      const enter = ['--target', process1, '--mount', '--pid', '--root', '--wd', '--setuid', `${user}`, '--setgid', `${user}`];
      const variables = [...environment, `PORT=${new URL(url).port}`, `SVC_BASE_URL=${url}`];
      return {
        run: ([program = '', ...args]) =>
          execFileSync(
            'nsenter',
            [...enter, '/usr/bin/env', '-i', ...variables, program === 'svc' ? '/svc/svc' : program, ...args],
            {
              encoding: 'utf8',
              stdio: ['ignore', 'pipe', 'pipe'],
            },
          ),
        signal: (signal) => void process.kill(Number(process1), signal),
      };
    },
  };
}
