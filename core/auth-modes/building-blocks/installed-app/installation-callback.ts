import { checkFields } from '#contract';
import { type FlowEnd, InstallationRefused, type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { knownCode } from '../token-endpoint/token-failure.ts';

/** An ID longer than that is none. */
const MAX_ID_LENGTH = 255;

/**
 * The installation that the callback names. Anyone can write another ID there: that the user is entitled to it has to be
 * proven elsewhere.
 *
 * @throws InstallationRefused if the installation was only requested; TokenFailure
 */
export function installationOf({ definition }: Pick<ModeInput, 'definition'>, query: FlowEnd['query']): string {
  const { error, setup_action: action, installation_id: id = '' } = query;
  if (error !== undefined)
    throw new TokenFailure('refused', 'the provider ended the authorization', { providerCode: knownCode(error) });
  if (action === 'request') throw new InstallationRefused('requested', 'an owner must approve the installation first');
  const fields = Object.entries(definition.connection_config ?? {}).filter(([name]) => name === 'installation_id');
  const faults = checkFields(Object.fromEntries(fields), { installation_id: id });
  if (id === '' || id.length > MAX_ID_LENGTH || faults.length > 0)
    throw new TokenFailure('malformed', 'the provider sent the browser back without the ID of an installation');
  return id;
}
