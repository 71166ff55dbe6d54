import * as z from 'zod';
import { providerJsonSchema } from '../catalogue/provider-definition.ts';

const schemaNode = z.object({
  description: z.string().default(''),
  enum: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), schemaNode]).optional();
  },
  get items() {
    return schemaNode.optional();
  },
  required: z.array(z.string()).default([]),
});

type SchemaNode = z.infer<typeof schemaNode>;

/** Returns the fields of provider.json and of its form fields as Markdown lists, for `docs/provider-definitions.md`. */
export function describeProviderFields(): string {
  const schema = schemaNode.parse(providerJsonSchema());
  const form = schema.properties?.['connection_config']?.additionalProperties;
  const fields = typeof form === 'object' ? linesOf(form) : [];
  return ['### Fields', '', ...linesOf(schema), '', '### Form fields', '', ...fields, ''].join('\n');
}

function linesOf(node: SchemaNode, indent = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, member]) => {
    const choices = member.enum === undefined ? '' : `one of ${member.enum.map((choice) => `\`${choice}\``).join(', ')}`;
    const facts = [node.required.includes(name) ? 'required' : '', member.description, choices].filter((fact) => fact !== '');
    return [
      `${indent}- \`${name}\`${facts.length > 0 ? `: ${facts.join('; ')}` : ''}`,
      ...linesOf(member.items ?? member, `${indent}  `),
    ];
  });
}
