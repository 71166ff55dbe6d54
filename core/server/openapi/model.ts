import type { JsonSchema } from './schemas.ts';

/** The parts of OpenAPI 3.1.0 that the document uses. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly style?: 'deepObject';
  readonly explode?: true;
}

/** One media type of a body. */
export interface Content {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, Content>>;
}

/** An example that several places refer to. */
export interface SharedExample {
  readonly summary: string;
  readonly value: unknown;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly deprecated?: true;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-svc-scope'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

interface SecurityScheme {
  readonly type: 'http' | 'apiKey';
  readonly scheme?: 'bearer';
  readonly in?: 'query';
  /** The name of the query parameter. */
  readonly name?: string;
  readonly description: string;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly examples: Readonly<Record<string, SharedExample>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
    readonly headers: object;
  };
}
