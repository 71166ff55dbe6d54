import { createServer } from 'node:http';
import { tellPort } from './tell-port.ts';

/** An application that takes webhooks and never answers. */
tellPort(createServer((request) => void request.resume()));
