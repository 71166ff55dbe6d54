/** What a snippet is filled with; `$SVC_API_KEY` stays for the reader's own key. */
export interface SnippetValues {
  readonly baseUrl: string;
  readonly integration: string;
  readonly connectionId: string;
}

const SESSION = ({ baseUrl, integration }: SnippetValues) => ({
  url: `${baseUrl}/connect/sessions`,
  body: JSON.stringify({ allowed_integrations: [integration], tags: { end_user_id: 'user-1' } }),
});

/** Each in the languages that the dashboard offers. A test runs every one of them. */
export const SNIPPETS = {
  session: {
    curl: (values: SnippetValues) => {
      const { url, body } = SESSION(values);
      return `curl -X POST ${url} \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
    },
    node: (values: SnippetValues) => {
      const { url, body } = SESSION(values);
      return `const response = await fetch('${url}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.SVC_API_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${body}),
});
console.log(await response.json());`;
    },
  },
  proxy: {
    curl: ({ baseUrl, integration, connectionId }: SnippetValues) => `curl ${baseUrl}/proxy/me \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H "Provider-Config-Key: ${integration}" \\
  -H "Connection-Id: ${connectionId}"`,
    node: ({ baseUrl, integration, connectionId }: SnippetValues) => `const response = await fetch('${baseUrl}/proxy/me', {
  headers: {
    authorization: \`Bearer \${process.env.SVC_API_KEY}\`,
    'provider-config-key': '${integration}',
    'connection-id': '${connectionId}',
  },
});
console.log(response.status, await response.text());`,
  },
} as const;

export type SnippetName = keyof typeof SNIPPETS;
export type SnippetLanguage = 'curl' | 'node';
