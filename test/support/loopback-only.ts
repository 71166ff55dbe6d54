import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';

/**
 * This module is loaded before anything else by the test run and by every service and command that a test starts. It lets only
 * the names of this machine resolve, so a plugin that calls its real provider fails at once, on machines with a network as on
 * those without.
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
