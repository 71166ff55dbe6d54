import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';

/**
 * The test run, and every service and command that a test starts, load this module before anything else. With it, only the names
 * of this machine resolve. So a plugin that calls its real provider fails immediately, whether or not the machine has a network.
 */
const { lookup } = dns;
const isHere = (name: string) => isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');

async function lookUpHere(name: string, options: object = {}): Promise<unknown> {
  if (isHere(name)) return lookup(name, options);
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name });
}

Object.assign(dns, { lookup: lookUpHere });
syncBuiltinESMExports();

/** The arguments that make Node.js load this module first. */
export const LOOPBACK_ONLY = ['--import', import.meta.url];
