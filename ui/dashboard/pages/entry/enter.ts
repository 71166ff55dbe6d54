import type { App } from '../../app/context.ts';
import { ME, SECOND_STEP, type SignInReply } from '../../app/replies.ts';

/**
 * Continues after a correct password: with the dashboard, or with the second factor.
 *
 * @param back path to go to after the sign-in, below the base
 */
export function enter({ resources, navigation }: Pick<App, 'resources' | 'navigation'>, reply: SignInReply, back: string): void {
  if ('awaits' in reply.data) {
    resources.put(SECOND_STEP, reply);
    navigation.replace(back === '' ? 'login/factor' : `login/factor?return=${encodeURIComponent(back)}`);
    return;
  }
  resources.put(ME, reply);
  navigation.replace(back);
}
