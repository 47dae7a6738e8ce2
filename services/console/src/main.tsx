import { render } from 'preact';
import './shell/theme.css';
import './shell/layout.css';
import './shell/parts.css';
import './shell/forms.css';
import { App } from './shell/app';
import { keepFocus } from './shell/keep-focus';
import { startKeys, startMenus } from './shell/keys';
import { startRouter } from './shell/router';
import { openSession } from './shell/session';

startRouter();
startKeys();
startMenus();
keepFocus();
const root = document.querySelector('#console');
if (root) render(<App />, root);
void openSession();
