import type { Api } from './api.ts';

/**
 * Sends the user's choice.
 *
 * @returns the error if the choice was refused and the flow still waits for one; otherwise undefined, since the state of the flow
 * shows the result
 */
export async function refusalOf(api: Api, flowId: string, option: string): Promise<unknown> {
  try {
    await api.choose(flowId, option);
  } catch (error) {
    // If the response to a choice is lost, the choice is sent again, and is then refused although it was accepted before.
    const flow = await api.flow(flowId).catch(() => null);
    if (flow === null || flow.state === 'choosing') return error;
  }
  return undefined;
}
