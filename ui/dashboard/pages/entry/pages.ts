export { Join } from './join.tsx';
export { Setup } from './setup.tsx';
export { SignIn } from './sign-in.tsx';
