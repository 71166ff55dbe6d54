import type { Api } from './api.ts';

/**
 * Sends a choice.
 *
 * @returns the error, if the choice was refused and the flow still waits for one; otherwise undefined: the state of the flow
 *   shows the result
 */
export async function refusalOf(api: Api, flowId: string, option: string): Promise<unknown> {
  try {
    await api.choose(flowId, option);
  } catch (error) {
    // A choice whose response was lost is sent again, and then refused although it was accepted.
    const flow = await api.flow(flowId).catch(() => null);
    if (flow === null || flow.state === 'choosing') return error;
  }
  return undefined;
}
