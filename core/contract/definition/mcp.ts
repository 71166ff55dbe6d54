import { urlTemplate } from '../templates.ts';

/** Servers of the Model Context Protocol. */
export const mcp = {
  mcp_server_url: urlTemplate
    .optional()
    .describe('MCP_OAUTH2: the MCP server; it says itself where users authorize (RFC 9728) and how clients register'),
};
