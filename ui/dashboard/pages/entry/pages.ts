export { ConfirmFactor } from '../../components/factors/confirm-factor.tsx';
export { Enrol } from './enrol.tsx';
export { Join } from './join.tsx';
export { SecondStep } from './second-step.tsx';
export { Setup } from './setup.tsx';
export { SignIn } from './sign-in.tsx';
