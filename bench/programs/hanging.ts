import { createServer } from 'node:http';
import { tellPort } from './tell-port.ts';

/** An application that accepts webhooks and never responds. */
tellPort(createServer((request) => void request.resume()));
