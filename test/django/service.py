"""A Django REST framework site: serves the JSON arrays below LISTS and the pictures below MEDIA, with the choices of the other variables."""
import json
from functools import cache
from os import environ
from pathlib import Path

import django
from django.conf import settings

BASE = environ.get('BASE', '')
MAX_AGE = int(environ.get('MAX_AGE', 0))
WIRE = json.loads(environ.get('WIRE', '{}'))

settings.configure(
    ALLOWED_HOSTS=['*'],
    INSTALLED_APPS=['django.contrib.staticfiles', 'rest_framework'],
    LANGUAGE_CODE=WIRE.get('language', 'en-us'),
    LANGUAGES=[('de', 'German'), ('en', 'English')],
    MIDDLEWARE=[
        'django.middleware.http.ConditionalGetMiddleware',
        *['django.middleware.locale.LocaleMiddleware'] * ('language' in WIRE),
        'django.middleware.common.CommonMiddleware',
    ],
    REST_FRAMEWORK={'UNAUTHENTICATED_USER': None, **WIRE.get('rest', {})},
    ROOT_URLCONF=__name__,
    SECRET_KEY='for tests',
    STATIC_URL=f'{BASE}/static/',
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True}],
)
django.setup()

from django.core.wsgi import get_wsgi_application
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.decorators.vary import vary_on_headers
from django.views.static import serve
from rest_framework import authentication, exceptions, filters, generics, pagination, permissions, serializers
from rest_framework.response import Response


class Records(list):
    def order_by(self, *terms):
        """Sorts as a queryset does, by letters without their case."""
        for term in reversed(terms):
            self.sort(key=lambda record: str(record.get(term.lstrip('-'))).lower(), reverse=term.startswith('-'))
        return self


@cache
def read(file):
    return json.loads((Path(environ['LISTS']) / f'{file}.json').read_text())


class Record(serializers.BaseSerializer):
    def to_representation(self, value):
        """Makes the addresses of pictures absolute."""
        if isinstance(value, dict):
            numbers = {'id': value['id'] + 2**60, 'weight': 8.0, 'ratio': 1e-05} if WIRE.get('numbers') and 'id' in value else {}
            return {name: self.to_representation(part) for name, part in {**value, **numbers}.items()}
        if isinstance(value, list):
            return [self.to_representation(part) for part in value]
        is_path = isinstance(value, str) and value.startswith('/media/')
        return self.context['request'].build_absolute_uri(BASE + value) if is_path and not environ['RELATIVE'] else value


class Token(authentication.TokenAuthentication):
    def authenticate_credentials(self, key):
        if key != environ['TOKEN']:
            raise exceptions.AuthenticationFailed('Invalid token.')
        return None, key


    def authenticate_header(self, request):
        return None if WIRE.get('forbidden') else super().authenticate_header(request)


class HasToken(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.auth is not None


class Meta(pagination.PageNumberPagination):
    page_size_query_param = 'per_page'

    def get_paginated_response(self, data):
        return Response({'meta': {'pages': self.page.paginator.num_pages}, **super().get_paginated_response(data).data})


class Data(pagination.PageNumberPagination):
    def get_paginated_response(self, data):
        return Response({'data': data, 'meta': {'count': self.page.paginator.count}})


class Cursor(pagination.BasePagination):
    def paginate_queryset(self, queryset, request, view=None):
        self.start, self.url, self.count = int(request.query_params.get('cursor', 'c0')[1:]), request.build_absolute_uri(request.path), len(queryset)
        return queryset[self.start:self.start + self.page_size]

    def get_paginated_response(self, data):
        def link(start):
            return f'{self.url}?cursor=c{start}' if 0 <= start < self.count else None
        return Response({'next': link(self.start + self.page_size), 'previous': link(self.start - self.page_size), 'results': data})


KINDS = {'number': pagination.PageNumberPagination, 'offset': pagination.LimitOffsetPagination, 'meta': Meta, 'cursor': Cursor, 'data': Data}


def pages(size, kind='number'):
    if not size:
        return None
    return type('Pages', (KINDS['offset' if environ['OFFSETS'] else kind],), {'page_size': int(size), 'default_limit': int(size)})


class PublicList(generics.ListAPIView):
    authentication_classes = []
    filter_backends = [filters.OrderingFilter]
    ordering_fields = ()
    pagination_class = pages(environ['PAGE_SIZE'])
    serializer_class = Record
    name = file = None

    def get_queryset(self):
        return Records(read(self.file))


class DetailedList(PublicList):
    authentication_classes = [Token]
    pagination_class = pages(environ['V2_PAGE_SIZE'])
    permission_classes = [HasToken]


def route(view, name, file, *fields, url=None):
    own = {'pagination_class': pages(*WIRE['pages'][file])} if file in WIRE.get('pages', {}) else {}
    handler = view.as_view(name=f'{name} List', file=file, ordering_fields=WIRE.get('sorts', {}).get(file, fields), **own)
    if 'vary' in WIRE:
        handler = vary_on_headers(*WIRE['vary'])(handler)
    return path(f'{BASE}/api/{url or file}/'[1:], cache_control(max_age=MAX_AGE)(handler) if MAX_AGE else handler)


NAMES = {file.stem[:-1].capitalize() for file in (Path(environ['LISTS']) / 'v1').glob('*s.json')}
BRANDED = ['Wheel', 'Tyre', 'Chain', 'Groupset']

urlpatterns = [
    route(PublicList, 'Bike', 'v1/bikes', 'title'),
    route(PublicList, 'Featured Bike', 'v1/featured', url='v1/bikes/featured'),
    *[route(PublicList, name, f'v1/{name.lower()}s', 'brand_name') for name in BRANDED],
    *[route(PublicList, name, f'v1/{name.lower()}s') for name in sorted(NAMES - {'Bike', *BRANDED})],
    route(DetailedList, 'Bike', 'v2/bikes', 'title', 'year', 'price'),
    path(f'{BASE}/media/<path:path>'[1:], serve, {'document_root': environ['MEDIA']}),
]
application = get_wsgi_application()
