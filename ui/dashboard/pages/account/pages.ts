export { Audit } from './audit.tsx';
export { Environments } from './environments.tsx';
export { Instance } from './instance.tsx';
export { Keys } from './keys.tsx';
export { Members } from './members.tsx';
export { Security } from './security.tsx';
export { Sessions } from './sessions.tsx';
