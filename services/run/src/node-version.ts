/** Imported before everything else: an older Node.js fails at what others import, with words that do not name it (`engines` of package.json). */
const oldest = [20, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(`Node.js ${oldest.join('.')} or newer is needed; this is ${process.versions.node}.\n`);
  process.exit(2);
}

export {};
