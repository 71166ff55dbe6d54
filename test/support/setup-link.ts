const LINE = /^Open \S+\/setup#token=[\w-]{43} to set up the dashboard\.\n/gm;

/** What a process wrote on standard error, without the line that each start prints while the dashboard has no admin. */
export function withoutSetupLink(stderr: string): string {
  return stderr.replaceAll(LINE, '');
}
