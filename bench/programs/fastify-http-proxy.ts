import fastifyHttpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

/** Runs @fastify/http-proxy with its defaults, on undici. */
const [target = ''] = process.argv.slice(2);
const app = fastify();
await app.register(fastifyHttpProxy, { upstream: target });
const url = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(new URL(url).port);
