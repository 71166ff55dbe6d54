export { Password } from './password.tsx';
export { Sessions } from './sessions.tsx';
