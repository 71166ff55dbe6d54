import { Agent, createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tellPort } from './tell-port.ts';

/**
 * Runs http-proxy 1.18.1, which has no types. It opens a connection for each request, or with `keep-alive` uses an agent that
 * keeps them.
 */
const [target = '', mode] = process.argv.slice(2);
const agent = mode === 'keep-alive' ? { agent: new Agent({ keepAlive: true }) } : {};
const proxy = createRequire(import.meta.url)('http-proxy-original').createProxyServer({ target, ...agent });
tellPort(createServer((request, response) => proxy.web(request, response)));
