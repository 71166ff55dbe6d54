import { spawn } from 'node:child_process';

/** Opens a page in the user's browser if the demo runs in a terminal on a desktop. A failure is ignored. */
export function openInBrowser(url: string): void {
  const command = process.stdout.isTTY ? commandOf(process.platform) : undefined;
  if (command === undefined) return;
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

function commandOf(platform: NodeJS.Platform): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDesktop = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  return hasDesktop ? ['xdg-open'] : undefined;
}
