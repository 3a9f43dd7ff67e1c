"""Where a library in the browser reads a page as its template."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.pages.templates import has_template, in_template

ANGULARJS = "<script src=/js/angular.js></script>"
VUE = "<script src=/js/vue.js></script><script>new Vue({el: '#shop'})</script>"


def page(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), text.encode())


@pytest.mark.parametrize(
    "text",
    [
        ANGULARJS + "<html ng-app=shop><body><p>{{tea}}",
        ANGULARJS + "<div class=a data-ng-app><div>x</div>&#123;&#123;tea}}</div>",
        ANGULARJS + "<div ng-app><p ng-non-bindable>x</p>{{tea}}</div>",
        ANGULARJS + "<div ng-app><img ng-non-bindable>{{tea}}</div>",
        "<script src='https://cdn.example/angularjs/1.8.2/angular.min.js'></script><div ng-app title='{{tea}}'>x</div>",
        VUE + "<div id=shop><p>{{tea}}</p></div>",
    ],
)
def test_evaluated(text: str):
    assert has_template(page(text))
    assert in_template(page(text), "{{tea}}")


@pytest.mark.parametrize(
    "text",
    [
        "<div ng-app>{{tea}}</div>",
        ANGULARJS + "<p>{{tea}}</p>",
        ANGULARJS + "<div ng-app><div>x</div></div>{{tea}}",
        ANGULARJS + "<div ng-app><p ng-non-bindable><p>{{tea}}</p>{{tea}}</p></div>",
        ANGULARJS + "<div ng-app><script>{{tea}}</script><!--{{tea}}--></div>",
        ANGULARJS + "<div ng-app>{ {tea}}</div>",
        ANGULARJS + "<script>$interpolateProvider.startSymbol('[[')</script><div ng-app>{{tea}}</div>",
        VUE + "<div id=news>{{tea}}</div>",
        VUE + "<div id=shop v-pre>{{tea}}</div>",
        VUE.replace("vue.js", "vue.runtime.js") + "<div id=shop>{{tea}}</div>",
        VUE.replace("el:", "template: '<p>x</p>', el:") + "<div id=shop>{{tea}}</div>",
    ],
)
def test_not_evaluated(text: str):
    assert not in_template(page(text), "{{tea}}")
