import type { Api } from './api.ts';

/**
 * Sends a choice.
 *
 * @returns why it was refused while the flow still waits for one; undefined: the state of the flow tells what has become of it
 */
export async function refusalOf(api: Api, flowId: string, option: string): Promise<unknown> {
  try {
    await api.choose(flowId, option);
  } catch (error) {
    // A choice whose answer was lost is sent again, and refused then although it was taken.
    const flow = await api.flow(flowId).catch(() => null);
    if (flow === null || flow.state === 'choosing') return error;
  }
  return undefined;
}
