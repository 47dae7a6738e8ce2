import { banner } from './banner';

const summary = {
  basePath: '/automation',
  dataDir: 'data',
  url: 'http://127.0.0.1:8080',
  opsUrl: 'http://127.0.0.1:9464',
  secretsFile: 'data/generated.env',
};

test('the password of a new administrator is shown, once', () => {
  const shown = banner({ ...summary, newAdministrator: { user: 'admin', password: 'made up' } });
  expect(shown).toContain('Order automation is ready on http://127.0.0.1:8080/automation');
  expect(shown).toContain('admin, password made up (shown this once; it is kept in data/generated.env)');
  expect(shown).toContain('What to do next');
  expect(banner(summary)).not.toContain('shown this once');
  expect(banner(summary)).toContain('data/generated.env');
});

// README.md: "Both are kept in data/generated.env" is about what the first start makes.
test('where every secret was set, no file is named that does not exist', () => {
  const shown = banner({ ...summary, secretsFile: undefined });
  expect(shown).toContain('if you never changed it, is the one in ADMIN_PASSWORD');
  expect(shown).not.toContain('undefined');
});
