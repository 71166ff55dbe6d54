import { useMe } from '../../app/context.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CALLS, type CallName, type SnippetValues } from '../../components/snippets/calls.ts';
import { snippetsOf } from '../../components/snippets/languages.ts';
import { type Onboarding, pathFor } from './onboarding.ts';
import { t } from './texts.ts';

/** A call of the public API in each language, with values from the environment. */
export function Snippet({ name, integration, connection }: { readonly name: CallName } & Onboarding) {
  const values: SnippetValues = {
    baseUrl: useMe().base_url,
    integration: connection?.provider_config_key ?? integration ?? '',
    connectionId: connection?.connection_id ?? '',
    path: connection === null ? '/' : pathFor(connection),
  };
  return <CodeBlock label={t('copy_snippet')} snippets={snippetsOf(CALLS[name](values), values)} />;
}
