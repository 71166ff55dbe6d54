import { Svc } from './svc.ts';

Object.assign(globalThis, { Svc });
