import { Agent, createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tellPort } from './tell-port.ts';

/**
 * Runs http-proxy 1.18.1, which is loaded by `require` because it has no types. It opens a connection to the upstream for each
 * request; with the argument `keep-alive`, its agent keeps connections open.
 */
const [target = '', mode] = process.argv.slice(2);
const agent = mode === 'keep-alive' ? { agent: new Agent({ keepAlive: true }) } : {};
const proxy = createRequire(import.meta.url)('http-proxy-original').createProxyServer({ target, ...agent });
tellPort(createServer((request, response) => proxy.web(request, response)));
