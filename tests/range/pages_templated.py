"""Pages that a library in the browser reads as its template: double braces are evaluated there, and no escape of HTML changes that."""

import html

from gatecrash.core.message import Response
from tests.range.place import FORM, QUERY, Given, flaw, miss, page, twin

ANGULARJS = '<script src="/lib/angular-1.8.3/angular.min.js"></script>'
VUE = '<script src="https://cdn.example/vue@3/dist/vue.global.prod.js"></script>'
MOUNTED = "<script>Vue.createApp({data(){return {open:false}}}).mount('#shop')</script>"


def told(given: Given) -> str:
    return html.escape(given.q)


@flaw("xss", ways=(QUERY, FORM))
def within_an_application_of_angularjs(given: Given) -> Response:
    return page(f"{ANGULARJS}<div ng-app><div><hr>No news</div><p>Results for {told(given)}</p></div>")


@flaw("xss", ways=(QUERY,))
def in_an_attribute_within_angularjs(given: Given) -> Response:
    return page(f'{ANGULARJS}<main data-ng-app="shop"><input name="q" value="{told(given)}"></main>')


@flaw("xss", ways=(QUERY,))
def within_what_vue_is_mounted_on(given: Given) -> Response:
    return page(f'{VUE}<div id="shop"><p>Results for {told(given)}</p></div>{MOUNTED}')


@twin("xss", ways=(QUERY, FORM))
def behind_an_application_of_angularjs(given: Given) -> Response:
    return page(f"{ANGULARJS}<div ng-app><div>No news</div></div><p>Results for {told(given)}</p>")


@twin("xss", ways=(QUERY,))
def kept_out_of_angularjs(given: Given) -> Response:
    return page(f"{ANGULARJS}<div ng-app><p ng-non-bindable>Results for <b>{told(given)}</b></p></div>")


@twin("xss", ways=(QUERY,))
def with_braces_apart(given: Given) -> Response:
    return page(f"{ANGULARJS}<div ng-app><p>Results for {told(given).replace('{{', '{ {')}</p></div>")


@twin("xss", ways=(QUERY,))
def kept_out_of_vue(given: Given) -> Response:
    return page(f'{VUE}<div id="shop"><p v-pre>Results for {told(given)}</p></div>{MOUNTED}')


@twin("xss", ways=(QUERY,))
def where_vue_has_a_template_of_its_own(given: Given) -> Response:
    """What stands below the element is put away when the application is mounted."""
    mounted = MOUNTED.replace("data()", "template:'<p>{{open}}</p>',data()")
    return page(f'{VUE}<div id="shop"><p>Results for {told(given)}</p></div>{mounted}')


@twin("xss", ways=(QUERY,))
def where_vue_has_no_compiler(given: Given) -> Response:
    return page(f'{VUE.replace("vue.global", "vue.runtime.global")}<div id="shop"><p>{told(given)}</p></div>{MOUNTED}')


@twin("xss", ways=(QUERY,))
def within_a_later_angular(given: Given) -> Response:
    return page(f'<script src="/lib/angular2.min.js"></script><div ng-app><p>{told(given)}</p></div>')


@miss("xss", ways=(QUERY,))
def mounted_by_a_script_in_a_file(given: Given) -> Response:
    return page(f'{VUE}<div id="shop"><p>{told(given)}</p></div><script src="/shop.js"></script>')


@miss("xss", ways=(QUERY,))
def in_a_text_area_of_angularjs(given: Given) -> Response:
    """AngularJS reads what a field holds as well, before the browser takes it as what was written there."""
    return page(f"{ANGULARJS}<div ng-app><textarea name=q>{told(given)}</textarea></div>")
