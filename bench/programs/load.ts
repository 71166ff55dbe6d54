import { connect, type Socket } from 'node:net';
import type { Load } from '../program.ts';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Sends requests on many network connections at once, on each one after another. Prints `{requests, seconds, latenciesMs}` as
 * JSON.
 */
const job: Load = JSON.parse(process.argv[2] ?? '');
const latenciesMs: number[] = [];
const until = performance.now() + job.seconds * 1000;
const fields = Object.entries({ host: `127.0.0.1:${job.port}`, ...job.headers });
const line = `${job.body === undefined ? 'GET' : 'POST'} ${job.path} HTTP/1.1\r\n`;
const head = line + fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
const body = job.body ?? '';
const length = job.body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
const idStart = `${process.pid}-${Date.now()}`;
let serial = 0;

const started = performance.now();
await Promise.all(Array.from({ length: job.connections }, (_, index) => drive(index)));
const seconds = (performance.now() - started) / 1000;
console.log(
  JSON.stringify({ requests: latenciesMs.length, seconds, latenciesMs: job.requestsPerSecond === undefined ? [] : latenciesMs }),
);

async function drive(index: number): Promise<void> {
  const gapMs = job.requestsPerSecond === undefined ? 0 : (job.connections * 1000) / job.requestsPerSecond;
  const pace = { gapMs, due: performance.now() + (gapMs * index) / job.connections };
  // Some proxies close the network connection after each response, so a new one is opened until the time is up.
  while (performance.now() < until) await driveConnection(pace);
}

function nextRequest(): string {
  serial += 1;
  const id = job.idHeader === undefined ? '' : `${job.idHeader}: ${idStart}-${serial}\r\n`;
  return `${head}${length}${id}\r\n${body}`;
}

function driveConnection(pace: { readonly gapMs: number; due: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(job.port, '127.0.0.1').setNoDelay(true);
  let sentAt = 0;
  const send = () => {
    sentAt = performance.now();
    socket.write(nextRequest());
  };
  const next = () => {
    if (performance.now() >= until) socket.destroy();
    else if (pace.gapMs === 0) send();
    else {
      pace.due += pace.gapMs;
      setTimeout(send, Math.max(pace.due - performance.now(), 0));
    }
  };
  readResponses(socket, () => {
    latenciesMs.push(performance.now() - sentAt);
    next();
  });
  socket.once('connect', next).once('error', reject).once('close', resolve);
  return promise;
}

/** Reads responses. Each must state its length; every proxy here passes on the length that the upstream states. */
function readResponses(socket: Socket, onResponse: () => void): void {
  let missing = 0;
  let head = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    let rest = chunk;
    if (missing === 0) {
      head = head.length === 0 ? rest : Buffer.concat([head, rest]);
      const end = head.indexOf(HEAD_END);
      if (end === -1) return;
      missing = lengthOf(head.toString('latin1', 0, end));
      rest = head.subarray(end + HEAD_END.length);
      head = Buffer.alloc(0);
    }
    missing -= rest.length;
    if (missing === 0) onResponse();
  });
}

function lengthOf(head: string): number {
  const length = /^HTTP\/1\.1 200 (?:.*\r\n)*content-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`not a whole response: ${head}`);
  return Number(length);
}
