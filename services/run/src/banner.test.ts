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
